import numpy as np
def draw(s, deck):
    return np.zeros((64, 64, 3), np.uint8)
