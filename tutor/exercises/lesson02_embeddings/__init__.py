"""Exercises of lesson 2, embeddings."""

from tutor.exercises.lesson02_embeddings.bpe_merge import bpe_merge
from tutor.exercises.lesson02_embeddings.embed import embed
from tutor.exercises.lesson02_embeddings.encode_batch import encode_batch
from tutor.exercises.lesson02_embeddings.mend_chat_batch import mend_chat_batch
from tutor.exercises.lesson02_embeddings.nearest_neighbours import nearest_neighbours
from tutor.exercises.lesson02_embeddings.one_hot_lookup import one_hot_lookup
from tutor.exercises.lesson02_embeddings.predict_embedded_shape import predict_embedded_shape
from tutor.exercises.lesson02_embeddings.predict_nearest_row import predict_nearest_row
from tutor.exercises.lesson02_embeddings.predict_remarkable import predict_remarkable
from tutor.exercises.lesson02_embeddings.window_pairs import window_pairs

EXERCISES = (
    predict_nearest_row,
    predict_remarkable,
    window_pairs,
    encode_batch,
    bpe_merge,
    mend_chat_batch,
    predict_embedded_shape,
    one_hot_lookup,
    embed,
    nearest_neighbours,
)
