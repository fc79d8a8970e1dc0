# One image for Binder, for a JupyterHub, and for one's own machine:
#   docker build -t transformer-tutor . && docker run --rm -p 8888:8888 transformer-tutor
FROM python:3.11-slim

# git is what nbgitpuller fetches a class's notebooks with.
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*

# Both Binder and hubs say who the user is; 1000 and jovyan are what they expect.
ARG NB_USER=jovyan
ARG NB_UID=1000
RUN useradd --create-home --uid ${NB_UID} ${NB_USER}

# The course is installed for all, where nobody can change it.
COPY . /opt/course
RUN pip install --no-cache-dir --extra-index-url https://download.pytorch.org/whl/cpu \
    -c /opt/course/constraints.txt "/opt/course[lab]" jupyterhub nbgitpuller \
    && install -D /opt/course/hub/jupyter_server_config.py /usr/local/etc/jupyter/jupyter_server_config.py \
    && python -m tutor doctor --mend

ENV HOME=/home/${NB_USER} OMP_NUM_THREADS=1
USER ${NB_UID}
WORKDIR ${HOME}
EXPOSE 8888
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--no-browser"]
