import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Unreachable } from '../../http/exchange.ts'
import { type ConnectionSettings, isThisMachine } from '../../http/request.ts'
import { redactSecrets } from '../../words/redact.ts'
import { misconfigured, usage } from '../process/exit.ts'
import type { Io } from '../process/io.ts'

interface NetworkFlags {
  /** `caFile` is PEM; `insecure` accepts any certificate. */
  caFile?: string | undefined
  insecure?: boolean | undefined
}

const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy', 'http_proxy']

/** Reads proxies from the environment and the certificates to trust. */
export function networkOf(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  { caFile, insecure }: NetworkFlags,
): ConnectionSettings {
  for (const name of PROXIES)
    if (env[name] && !(/^https?:\/\//.test(env[name]) && URL.canParse(env[name])))
      throw misconfigured(`${name} must be the address of a proxy such as http://proxy.example.com:3128.`)
  return {
    ...(proxyIn(env) ? { proxies: env } : {}),
    ...(caFile === undefined ? {} : { authorities: certificatesIn(resolve(cwd, caFile), caFile) }),
    ...(insecure ? { insecure } : {}),
  }
}

export const proxyIn = (env: Io['env']): string | undefined => PROXIES.find((name) => env[name])

/** Reads a PEM file; `label` is how the user named it. */
export function certificatesIn(file: string, label: string): string {
  try {
    const text = readFileSync(file, 'utf8')
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  } catch (error) {
    throw usage(`${label} cannot be read: ${(error as Error).message}.`)
  }
  throw usage(`${label} contains no PEM certificate. One begins with -----BEGIN CERTIFICATE-----.`)
}

const UNSIGNED =
  'Its certificate is signed by an unknown authority. In a company network, name the file of its authority with --ca-file or NODE_EXTRA_CA_CERTS, or trust those of the system with NODE_USE_SYSTEM_CA=1. For test servers only: --insecure.'
const DATES = 'Its certificate is not valid today: renew it, and check the clock of this machine.'
const NO_TLS = 'It does not speak TLS there. Is it http:// and not https://, or another port?'
const FEW_FILES =
  'This process has reached its limit of open files and connections. Raise it with ulimit -n 4096, or make fewer calls at once.'
const NO_NAME = 'Check the name in the base URL. In a company network it may be known to the proxy only: HTTPS_PROXY.'

/** By error code of a failed connection. */
const HINTS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNSIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: UNSIGNED,
  UNABLE_TO_GET_ISSUER_CERT: UNSIGNED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNSIGNED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNSIGNED,
  CERT_HAS_EXPIRED: DATES,
  CERT_NOT_YET_VALID: DATES,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'Its certificate is for another name. Check the host of the base URL; it must match the certificate.',
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  EMFILE: FEW_FILES,
  ENFILE: FEW_FILES,
  ENOTFOUND: NO_NAME,
  EAI_AGAIN: NO_NAME,
}

/** Advice on a failed connection; undefined for an unknown code. */
export function hintFor(
  { code }: Pick<Unreachable, 'code'>,
  url: URL,
  { proxies = {} }: ConnectionSettings,
): string | undefined {
  const proxy = isThisMachine(url) ? undefined : proxyIn(proxies)
  if (proxy === undefined || (HINTS[code] && HINTS[code] !== NO_NAME)) return HINTS[code]
  return `Requests to it go through the proxy ${redactSecrets(proxies[proxy]!)} (${proxy}). NO_PROXY lists hosts that are called directly.`
}
