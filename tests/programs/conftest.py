from tests.agents.conftest import ladder_registered, signals_as_on_a_terminal, workplace

__all__ = ["ladder_registered", "signals_as_on_a_terminal", "workplace"]
