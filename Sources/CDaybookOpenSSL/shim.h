// `HMAC_CTX` is deprecated in favour of `EVP_MAC`, whose contexts cannot be used again with the same
// key in every release of OpenSSL 3.0.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
