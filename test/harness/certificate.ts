/** A self-signed certificate for localhost and 127.0.0.1, and its key: published here, so do not use it elsewhere. */
export const testCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgT8y5f4UQa3OH//xK
dczP/MB+MTcDIg+zEOljGYLqajyhRANCAASIvheiawyuVyMNb5BE7eqhCNTu31bH
J06y0IWmqdcjjkR6DKG9jtJpSqvu1gh8CeGmq/ydL4LRo59OZ4ysm2nG
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUQgG55/VC8RXYfYDdKIdWYzhYdwcwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAzMjA0MVoYDzIxMjYxMDI4
MDMyMDQxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASIvheiawyuVyMNb5BE7eqhCNTu31bHJ06y0IWmqdcjjkR6DKG9jtJp
Sqvu1gh8CeGmq/ydL4LRo59OZ4ysm2nGo28wbTAdBgNVHQ4EFgQUvpq5f8m9LNQi
6qdZJLRj48Bz7uwwHwYDVR0jBBgwFoAUvpq5f8m9LNQi6qdZJLRj48Bz7uwwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAKqO8kngWYyetxtkZs3RhnaSM6mZQmKS+hOpUh42mrnRAiAk
0eeoBvoQ0DWcEBmLlfWw9KB3j3LVMlAddApYjRn8pQ==
-----END CERTIFICATE-----`,
} as const
