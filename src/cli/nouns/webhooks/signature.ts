/** How a request is signed (interface §5), wherever the command line speaks of a secret. */
export const SIGNATURE =
  'Each request has the header X-Service-Signature: sha256=<hex>, the HMAC-SHA256 of the raw body with the whole secret as key.'
