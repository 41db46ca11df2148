// `SHA256_CTX` is deprecated in favour of `EVP_MD_CTX`, which allocates memory for each digest and
// for each copy of one.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
