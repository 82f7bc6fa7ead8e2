import { jsonOr } from './json.ts'
import { textsIn } from './texts.ts'

/** Removes keys and secrets from texts that are kept for people: log lines, recorded requests and answers. */

export const REDACTED = '[redacted]'

/** Names of secret fields in any spelling: `webhook_secret`, `webhookSecret`, `Webhook-Secret`. */
const SECRET_FIELD =
  /^(?:.*(?:secret|token|password|passwd|pwd|passphrase|credential|(?:api|access|private)key)s?|.*authorization|cookie|setcookie|auth|jwt)$/
/** Page tokens are no secrets. */
const HARMLESS = new Set(['nextpagetoken', 'pagetoken'])

const isSecretField = (name: string) => {
  const letters = name.replace(/[^A-Za-z0-9]/g, '').toLowerCase()
  return SECRET_FIELD.test(letters) && !HARMLESS.has(letters)
}

/** Secrets recognised by their form anywhere in a text, also after an escaped line break in JSON. */
const SECRET_PATTERNS: readonly (readonly [RegExp, string])[] = [
  // A prefix alone is part of an instruction: Bearer sk_sandbox_<namespace>.
  [/\b(bearer|basic) +(?!realm=|sk_[a-z]+_<)[\w.~+/=-]+/gi, `$1 ${REDACTED}`],
  [/(?:\b|(?<=\\[bfnrt]))whsec_[\w+/=-]+/g, `whsec_${REDACTED}`],
  [/(?:\b|(?<=\\[bfnrt]))(sk_[a-z]+_)[\w-]+/gi, `$1${REDACTED}`],
  // Whole control tokens only, because others may have ids that begin with ct_.
  [/(?:\b|(?<=\\[bfnrt]))ct_(?:(?:[a-z0-9_-]{1,64}_)?[0-9a-f]{40}|[\w-]{32})(?![\w-])/g, `ct_${REDACTED}`],
  // A JSON Web Token: two JSON objects and a signature.
  [/(?:(?<![\w-])|(?<=\\[bfnrt]))eyJ[\w-]+\.eyJ[\w-]+\.[\w-]*/g, REDACTED],
  // Tokens of links that work without a key.
  [/(\/_sandbox\/doi\/)[^\s"'\\/?#<>]+/g, `$1${REDACTED}`],
  // Up to the last @, because a password may contain one.
  [/(\/\/)[^\s/?#"'\\]+@/g, `$1${REDACTED}@`],
  // Also keys of hosted functions and of signed links, whose names are short.
  [
    /([?&](?:[\w-]*(?:secret|token|password|passwd|pwd|passphrase|(?:api|access)_?key|signature)|key|code|sig)=)[^&\s"'\\#]+/gi,
    `$1${REDACTED}`,
  ],
]

/** The texts in secret fields of a value, at any depth. */
export const secretsIn = (value: unknown): string[] =>
  [...textsIn(value)].flatMap(({ text, field }) =>
    isSecretField(field) && text.length >= MIN_SECRET_LENGTH ? [text] : [],
  )

/** Shorter texts occur in other texts by chance. */
const MIN_SECRET_LENGTH = 6

/** Removes these secrets, and all that look like one. */
export const redactThese = (text: string, secrets: Iterable<string>): string =>
  redactSecrets(withoutThese(text, secrets))

/** Removes these secrets only. */
export const withoutThese = (text: string, secrets: Iterable<string>): string =>
  [...secrets]
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
    .reduce((redacted, secret) => redacted.replaceAll(secret, REDACTED), text)

export const redactSecrets = (text: string): string =>
  SECRET_PATTERNS.reduce((redacted, [look, instead]) => redacted.replace(look, instead), text)

/** The address of a server as commands show it, without its password. */
export const shownUrl = (url: URL): string => redactSecrets(url.href)

/** Removes secrets from a body. Broken or truncated JSON is searched for secret fields as text. */
export function redactBody(text: string): string {
  try {
    const found = { secret: false }
    const clean = withoutSecrets(JSON.parse(text), found)
    return redactSecrets(found.secret ? JSON.stringify(clean) : text)
  } catch {
    // Not JSON, or nested too deeply to walk.
    return redactSecrets(redactFields(text))
  }
}

/** A command line: `DB_PASSWORD=…`, `--token=…` and `--token …`. */
export const redactCommand = (words: readonly string[]): string =>
  redactSecrets(redactFields(words.map((word, at) => (isSecretOption(words[at - 1]) ? REDACTED : word)).join(' ')))

const isSecretOption = (word = '') => /^-[\w-]+$/.test(word) && isSecretField(word)

export const redactHeaders = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isSecretField(name) ? REDACTED : redactSecrets(Array.isArray(value) ? value.join(', ') : String(value)),
    ]),
  )

function withoutSecrets(value: unknown, found: { secret: boolean }): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, found))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      // null is no secret.
      if (!isSecretField(name) || inner === null || typeof inner === 'boolean')
        return [name, withoutSecrets(inner, found)]
      found.secret = true
      return [name, REDACTED]
    }),
  )
}

/**
 * A field name and its value: a string that may be cut off, something nested, or a bare word. It starts at a word or
 * string only, so that other text is scanned once.
 */
const FIELD =
  /(?<![\w\\-])("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w-]+)(\s*[:=]\s*)("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[[{]|[^\s,}\]&]+)/g

function redactFields(text: string): string {
  let end: number | undefined
  const clean = text.replace(FIELD, (match, name: string, colon: string, value: string, at: number) => {
    if (!isSecretField(String(jsonOr(name, name))) || value === 'null') return match
    // In broken JSON the end of a nested value is unknown, so everything after it is removed.
    if (/^[[{]/.test(value)) end ??= at
    return `${name}${colon}"${REDACTED}"`
  })
  return end === undefined ? clean : `${redactFields(text.slice(0, end))}"${REDACTED}"`
}
