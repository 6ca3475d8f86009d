from .paper.cache import *
