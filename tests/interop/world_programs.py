"""The programs that world.py runs: (path below the folder of checkouts, arguments, Session.run calls, [file needed in its folder: its path in the repo])."""
EXAMPLES = "aymericdamien+TensorFlow-Examples/tensorflow_v1/examples/"
MORVAN = "MorvanZhou+Tensorflow-Tutorial/tutorial-contents/"
GOLBIN = "golbin+TensorFlow-Tutorials/"
PKMITAL = "pkmital+tensorflow_tutorials/python/"
# (path, arguments, calls of Session.run)
PROGRAMS = [
    (EXAMPLES + "1_Introduction/basic_operations.py", [], 100),
    (EXAMPLES + "2_BasicModels/linear_regression.py", [], 400),
    (EXAMPLES + "2_BasicModels/logistic_regression.py", [], 200),
    (EXAMPLES + "2_BasicModels/nearest_neighbor.py", [], 60),
    (EXAMPLES + "3_NeuralNetworks/neural_network_raw.py", [], 150),
    (EXAMPLES + "3_NeuralNetworks/neural_network.py", [], 200),
    (EXAMPLES + "3_NeuralNetworks/convolutional_network_raw.py", [], 60),
    (EXAMPLES + "3_NeuralNetworks/multilayer_perceptron.py", [], 150),
    (EXAMPLES + "3_NeuralNetworks/recurrent_network.py", [], 120),
    (EXAMPLES + "3_NeuralNetworks/bidirectional_rnn.py", [], 120),
    (EXAMPLES + "3_NeuralNetworks/dynamic_rnn.py", [], 220),
    (EXAMPLES + "3_NeuralNetworks/autoencoder.py", [], 120),
    (EXAMPLES + "3_NeuralNetworks/variational_autoencoder.py", [], 120),
    (EXAMPLES + "3_NeuralNetworks/gan.py", [], 120),
    (EXAMPLES + "3_NeuralNetworks/dcgan.py", [], 25),
    (EXAMPLES + "4_Utils/save_restore_model.py", [], 200),
    (EXAMPLES + "4_Utils/tensorboard_basic.py", [], 150),
    (EXAMPLES + "4_Utils/tensorboard_advanced.py", [], 100),
    (EXAMPLES + "5_DataManagement/tensorflow_dataset_api.py", [], 60),
    (MORVAN + "301_simple_regression.py", [], 100),
    (MORVAN + "302_simple_classification.py", [], 100),
    (MORVAN + "303_save_reload.py", [], 150),
    (MORVAN + "304_optimizer.py", [], 400),
    (MORVAN + "305_tensorboard.py", [], 100),
    (MORVAN + "306_dataset.py", [], 200),
    (MORVAN + "401_CNN.py", [], 80),
    (MORVAN + "402_RNN_classification.py", [], 120),
    (MORVAN + "403_RNN_regression.py", [], 60),
    (MORVAN + "404_AutoEncoder.py", [], 150),
    (MORVAN + "406_GAN.py", [], 300),
    (MORVAN + "406_conditional_GAN.py", [], 300),
    (MORVAN + "501_dropout.py", [], 200),
    (MORVAN + "502_batch_normalization.py", [], 100),
    (MORVAN + "503_visualize_gradient_descent.py", [], 200),
    (GOLBIN + "04 - Neural Network Basic/03 - Word2Vec.py", [], 150),
    (GOLBIN + "05 - TensorBoard, Saver/03 - TensorBoard2.py", [], 100),
    (GOLBIN + "06 - MNIST/02 - Dropout.py", [], 120),
    (GOLBIN + "07 - CNN/02 - tf.layers.py", [], 60),
    (GOLBIN + "09 - GAN/02 - GAN2.py", [], 100),
    (GOLBIN + "10 - RNN/01 - MNIST.py", [], 100),
    (GOLBIN + "10 - RNN/02 - Autocomplete.py", [], 100),
    (GOLBIN + "10 - RNN/03 - Seq2Seq.py", [], 100),
    ("sherjilozair+char-rnn-tensorflow/train.py", ["--data_dir", "text", "--save_dir", "save", "--rnn_size", "32", "--num_layers", "2", "--seq_length", "20"], 60),
    ("dennybritz+cnn-text-classification-tf/train.py", ["--positive_data_file", "positive.txt", "--negative_data_file", "negative.txt", "--num_epochs", "2"], 40),
    ("nlintz+TensorFlow-Tutorials/04_modern_net.py", [], 120),
    ("nlintz+TensorFlow-Tutorials/07_lstm.py", [], 120),
    ("nlintz+TensorFlow-Tutorials/08_word2vec.py", [], 100),
    (PKMITAL + "10_residual_network.py", [], 6),
    (PKMITAL + "11_variational_autoencoder.py", [], 60),
    ("affinelayer+pix2pix-tensorflow/pix2pix.py", ["--mode", "train", "--input_dir", "pairs", "--output_dir", "out", "--max_epochs", "2", "--ngf", "8", "--ndf", "8", "--which_direction", "AtoB", "--seed", "17"], 8),
]
WISEODD = "wiseodd+generative-models/"
ZHOU = "MorvanZhou+Reinforcement-learning-with-tensorflow/"
KIM = "hunkim+DeepLearningZeroToAll/"
COOK = "nfmcclure+tensorflow_cookbook/"
GRAY = "graykode+nlp-tutorial/archive/tensorflow/v1/"
BOOK = "BinRoot+TensorFlow-Book/"
BRIGHT = "brightmart+text_classification/"


def more(folder, names, calls, arguments=()):
    PROGRAMS.extend((folder + name, list(arguments), calls) for name in names)


more(WISEODD + "GAN/", ["vanilla_gan/gan_tensorflow.py", "conditional_gan/cgan_tensorflow.py", "wasserstein_gan/wgan_tensorflow.py", "improved_wasserstein_gan/wgan_gp_tensorflow.py",
    "infogan/infogan_tensorflow.py", "ebgan/ebgan_tensorflow.py", "boundary_equilibrium_gan/began_tensorflow.py", "least_squares_gan/lsgan_tensorflow.py",
    "auxiliary_classifier_gan/ac_gan_tensorflow.py", "softmax_gan/softmax_gan_tensorflow.py", "f_gan/f_gan_tensorflow.py", "magan/magan_tensorflow.py",
    "mode_regularized_gan/mode_reg_gan_tensorflow.py", "ali_bigan/ali_bigan_tensorflow.py"], 20)
more(WISEODD + "VAE/", ["vanilla_vae/vae_tensorflow.py", "adversarial_autoencoder/aae_tensorflow.py"], 20)
more(ZHOU + "contents/", ["5.1_Double_DQN/run_Pendulum.py", "5.2_Prioritized_Replay_DQN/run_MountainCar.py", "5.3_Dueling_DQN/run_Pendulum.py",
    "7_Policy_gradient_softmax/run_CartPole.py", "8_Actor_Critic_Advantage/AC_CartPole.py", "8_Actor_Critic_Advantage/AC_continue_Pendulum.py", "5_Deep_Q_Network/DQN_modified.py",
    "9_Deep_Deterministic_Policy_Gradient_DDPG/DDPG.py", "9_Deep_Deterministic_Policy_Gradient_DDPG/DDPG_update.py", "9_Deep_Deterministic_Policy_Gradient_DDPG/DDPG_update2.py",
    "12_Proximal_Policy_Optimization/simply_PPO.py", "Curiosity_Model/Curiosity.py", "Curiosity_Model/Random_Network_Distillation.py"], 150)
more(KIM, ["lab-02-1-linear_regression.py", "lab-03-X-minimizing_cost_tf_gradient.py", "lab-04-3-file_input_linear_regression.py", "lab-04-4-tf_reader_linear_regression.py",
    "lab-05-2-logistic_regression_diabetes.py", "lab-06-2-softmax_zoo_classifier.py", "lab-09-4-xor_tensorboard.py", "lab-09-x-xor-nn-back_prop.py", "lab-10-5-mnist_nn_dropout.py",
    "lab-10-7-mnist_nn_higher_level_API.py", "lab-10-8-mnist_nn_selu(wip).py", "lab-10-X1-mnist_back_prop.py", "lab-12-1-hello-rnn.py", "lab-12-2-char-seq-rnn.py", "lab-12-3-char-seq-softmax-only.py", "lab-12-4-rnn_long_char.py",
    "lab-12-5-rnn_stock_prediction.py", "lab-13-1-mnist_using_scope.py", "lab-13-2-mnist_tensorboard.py", "lab-13-3-mnist_save_restore.py"], 40)
more(KIM, ["lab-11-1-mnist_cnn.py", "lab-11-4-mnist_cnn_layers.py", "lab-11-5-mnist_cnn_ensemble_layers.py"], 12)
more(COOK, [
    "02_TensorFlow_Way/05_Implementing_Back_Propagation/05_back_propagation.py", "02_TensorFlow_Way/06_Working_with_Batch_and_Stochastic_Training/06_batch_stochastic_training.py",
    "02_TensorFlow_Way/07_Combining_Everything_Together/07_combining_everything_together.py", "02_TensorFlow_Way/04_Implementing_Loss_Functions/04_loss_functions.py",
    "02_TensorFlow_Way/08_Evaluating_Models/08_evaluating_models.py", "03_Linear_Regression/01_Using_the_Matrix_Inverse_Method/01_lin_reg_inverse.py",
    "03_Linear_Regression/02_Implementing_a_Decomposition_Method/02_lin_reg_decomposition.py",
    "03_Linear_Regression/03_TensorFlow_Way_of_Linear_Regression/03_lin_reg_tensorflow_way.py", "03_Linear_Regression/05_Implementing_Deming_Regression/05_deming_regression.py",
    "03_Linear_Regression/07_Implementing_Elasticnet_Regression/07_elasticnet_regression.py", "04_Support_Vector_Machines/02_Working_with_Linear_SVMs/02_linear_svm.py",
    "04_Support_Vector_Machines/04_Working_with_Kernels/04_svm_kernels.py", "04_Support_Vector_Machines/05_Implementing_Nonlinear_SVMs/05_nonlinear_svm.py",
    "04_Support_Vector_Machines/06_Implementing_Multiclass_SVMs/06_multiclass_svm.py", "06_Neural_Networks/02_Implementing_an_Operational_Gate/02_gates.py",
    "06_Neural_Networks/03_Working_with_Activation_Functions/03_activation_functions.py", "06_Neural_Networks/04_Single_Hidden_Layer_Network/04_single_hidden_layer_network.py",
    "06_Neural_Networks/05_Implementing_Different_Layers/05_implementing_different_layers.py",
    "11_More_with_TensorFlow/02_Working_with_a_Genetic_Algorithm/02_genetic_algorithm.py", "11_More_with_TensorFlow/03_Clustering_Using_KMeans/03_k_means.py",
    "11_More_with_TensorFlow/04_Solving_A_System_of_ODEs/04_solving_ode_system.py"], 20)
more(GRAY, [
    "1-1.NNLM/NNLM.py", "1-2.Word2Vec/Word2Vec-Skipgram(Softmax).py", "1-2.Word2Vec/Word2Vec-Skipgram(NCE_loss).py", "2-1.TextCNN/TextCNN.py", "3-1.TextRNN/TextRNN.py",
    "3-2.TextLSTM/TextLSTM.py", "3-3.Bi-LSTM/Bi-LSTM.py", "4-3.Bi-LSTM(Attention)/Bi-LSTM(Attention).py", "4-1.Seq2Seq/Seq2Seq.py", "4-2.Seq2Seq(Attention)/Seq2Seq(Attention).py"], 20)
more(BRIGHT, ["a03_TextRNN/p8_TextRNN_model.py", "a03_TextRNN/p8_TextRNN_model_multi_layers.py", "a06_Seq2seqWithAttention/a1_seq2seq_attention_model.py", "a07_Transformer/a2_encoder.py",
    "a07_Transformer/a2_transformer_classification.py", "a07_Transformer/a2_transformer.py"], 20)
PROGRAMS.append(("NELSONZHAO+zhihu/anna_lstm/anna_lstm.py", [], 20))
more(BOOK, ["ch02_basics/gradient.py", "ch02_basics/moving_avg.py", "ch02_basics/spikes.py", "ch02_basics/saving_vars.py", "ch04_classification/linear_1d.py",
    "ch04_classification/logistic_1d.py", "ch04_classification/logistic_2d.py"], 40)
more("google-research+bert/", ["modeling_test.py", "optimization_test.py", "tokenization_test.py"], 20)
NMT = ["--src", "vi", "--tgt", "en", "--vocab_prefix", "nmt/vocab", "--train_prefix", "nmt/train", "--dev_prefix", "nmt/dev", "--test_prefix", "nmt/dev", "--out_dir", "nmt_out", "--num_train_steps", "30",
    "--steps_per_stats", "5", "--num_layers", "2", "--num_units", "16", "--batch_size", "8", "--dropout", "0.0", "--random_seed", "5"]
PROGRAMS.append(("tensorflow+nmt/nmt/nmt.py", NMT, 25))
PROGRAMS.append(("tensorflow+nmt/nmt/nmt.py", NMT + ["--attention", "scaled_luong", "--encoder_type", "bi", "--infer_mode", "beam_search", "--beam_width", "3"], 25))
PROGRAMS.append(("tensorflow+nmt/nmt/nmt.py", NMT + ["--attention", "normed_bahdanau", "--attention_architecture", "gnmt_v2", "--encoder_type", "gnmt", "--num_layers", "3", "--optimizer", "adam", "--learning_rate", "0.001"], 25))
HWAL = "hwalsuklee+tensorflow-generative-model-collections/main.py"
for kind in ("infoGAN", "WGAN_GP", "CVAE"):
    PROGRAMS.append((HWAL, ["--gan_type", kind, "--dataset", "mnist", "--epoch", "1", "--batch_size", "4"], 12))
PROGRAMS.append(("carpedm20+DCGAN-tensorflow/main.py", ["--dataset", "mnist", "--input_height", "28", "--output_height", "28", "--train", "--batch_size", "8"], 10))
PROGRAMS.append(("naturomics+CapsNet-Tensorflow/main.py", ["--batch_size", "4", "--epoch", "1", "--num_threads", "1"], 6))
PROGRAMS.append(("hunkim+word-rnn-tensorflow/train.py", ["--data_dir", "words", "--save_dir", ".", "--rnn_size", "32", "--batch_size", "10", "--seq_length", "10"], 30))
PROGRAMS.append(("hzy46+Char-RNN-TensorFlow/train.py", ["--input_file", "text/input.txt", "--num_seqs", "8", "--num_steps", "20", "--lstm_size", "32"], 30))
for kind in ("vanilla", "lstm", "gru"):
    PROGRAMS.append(("roomylee+rnn-text-classification-tf/train.py", ["--pos_dir", "positive.txt", "--neg_dir", "negative.txt", "--cell_type", kind, "--hidden_size", "16", "--embedding_dim", "16"], 20))
PROGRAMS.append(("Determined22+zh-NER-TF/main.py", ["--mode", "train", "--train_data", "ner", "--test_data", "ner", "--batch_size", "16", "--epoch", "2", "--hidden_dim", "16", "--embedding_dim", "16", "--dropout", "1.0"], 12))
more("adventuresinML+adventures-in-ml-code/", ["tf_dataset_tutorial.py", "vanishing_gradient.py", "weight_init_tensorflow.py", "convolutional_neural_network_tutorial.py"], 20)
PROGRAMS.append(("adventuresinML+adventures-in-ml-code/lstm_tutorial.py", ["1", "--data_path", "ptb"], 12))
HUYEN = "chiphuyen+stanford-tensorflow-tutorials/examples/"
BIRTHS = {"data/birth_life_2010.txt": "examples/data/birth_life_2010.txt"}
for name in ("02_lazy_loading", "02_simple_tf", "02_variables", "03_linreg_placeholder", "03_linreg_dataset", "03_logreg", "05_randomization", "05_variable_sharing", "07_convnet_layers", "07_convnet_mnist"):
    PROGRAMS.append((HUYEN + name + ".py", [], 20, BIRTHS))
PROGRAMS.append((HUYEN + "11_char_rnn.py", [], 8, {"data/arvix_abstracts.txt": "examples/data/arvix_abstracts.txt"}))
EASY = "easy-tensorflow+easy-tensorflow/"
more(EASY, ["2_Linear_Classifier/code/main.py", "3_Neural_Network/code/main.py", "4_Tensorboard/code/main.py", "5_AutoEncoder/code/main.py"], 30)
more(EASY + "7_Recurrent_Neural_Network/code/", ["02_Bidirectional_RNN_for_Classification/main.py", "03_Many_to_One_with_Fixed_Sequence_Length/main.py",
    "04_Many_to_One_with_Variable_Sequence_Length/main.py", "05_Many_to_Many/main.py", "06_Vanilla_RNN_for_Classification/main.py"], 20)
LAZY = "lazyprogrammer+machine_learning_examples/"
more(LAZY, ["ann_class/tf_example.py", "rnn_class/tf_parity.py", "rnn_class/srn_parity_tf.py", "hmm_class/tf_scan1.py", "hmm_class/tf_scan2.py", "hmm_class/tf_scan3.py",
    "ann_class2/tensorflow1.py", "rl2/cartpole/tf_warmup.py", "rl2/cartpole/pg_tf.py", "rl2/cartpole/dqn_tf.py"], 20)
PROGRAMS.append(("tkipf+gcn/gcn/train.py", ["--epochs", "6"], 12, {"data": "gcn/data", "gcn": "gcn"}))
PROGRAMS.append(("PetarV-+GAT/execute_cora.py", [], 3, {"data": "data"}))
PROGRAMS.append(("ericjang+draw/draw.py", ["--data_dir", "draw_data"], 4))
GLUE = ["--vocab_file", "glue/vocab.txt", "--bert_config_file", "glue/config.json", "--output_dir", "bert_out", "--max_seq_length", "16", "--train_batch_size", "8"]
PROGRAMS.append(("google-research+bert/run_classifier.py", GLUE + ["--task_name", "cola", "--data_dir", "glue", "--do_train", "--do_eval", "--num_train_epochs", "1"], 20))
for name in ("modeling_test.py", "optimization_test.py"):
    PROGRAMS.append(("google-research+albert/" + name, [], 20, {"albert": "."}))
more("hzy46+Deep-Learning-21-Examples/chapter_1/", ["softmax_regression.py", "convolutional.py"], 20)
PROGRAMS.append(("hzy46+Deep-Learning-21-Examples/chapter_2/cifar10_train.py", ["--data_dir", "cifar", "--train_dir", "cifar_train", "--batch_size", "4", "--max_steps", "8"], 8))
PROGRAMS.append(("openai+baselines/baselines/common/tests/test_tf_util.py", [], 20, {"baselines": "baselines"}))
