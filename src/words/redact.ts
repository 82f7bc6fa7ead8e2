/** Takes keys and secrets out of what is kept for people to read: log lines, recorded requests and answers. */

export const REDACTED = '[redacted]'

/** Fields whose value is a secret, in any spelling: `webhook_secret`, `webhookSecret`, `Webhook-Secret`. */
const SECRET_FIELD =
  /^(?:.*secret|.*token|.*password|passphrase|authorization|proxyauthorization|cookie|setcookie|.*apikey|.*privatekey)$/
/** A page token says where a list goes on, and opens nothing. */
const HARMLESS = new Set(['nextpagetoken', 'pagetoken'])

const isSecretField = (name: string) => {
  const bare = name.replace(/[^A-Za-z0-9]/g, '').toLowerCase()
  return SECRET_FIELD.test(bare) && !HARMLESS.has(bare)
}

/** Secrets that are known by their look, wherever they stand. */
const LOOKS: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic) +[\w.~+/=-]+/gi, `$1 ${REDACTED}`],
  [/\bwhsec_[\w+/=-]+/g, `whsec_${REDACTED}`],
  [/\b(sk_[a-z]+_)[\w-]+/gi, `$1${REDACTED}`],
  // Of a link that is opened without a key.
  [/(\/_sandbox\/doi\/)[^\s"'\\/?#<>]+/g, `$1${REDACTED}`],
  [/(\/\/)[^\s/@"'\\]+@/g, `$1${REDACTED}@`],
  [/([?&][\w-]*(?:secret|token|password|api_?key|signature)=)[^&\s"'\\#]+/gi, `$1${REDACTED}`],
]

/** Text without what looks like a secret. */
export const redactLooks = (text: string): string =>
  LOOKS.reduce((redacted, [look, instead]) => redacted.replace(look, instead), text)

/** A body without its secrets; what is no JSON, or only the beginning of it, is searched for fields all the same. */
export function redactBody(text: string): string {
  try {
    const found = { secret: false }
    const clean = withoutSecrets(JSON.parse(text), found)
    return redactLooks(found.secret ? JSON.stringify(clean) : text)
  } catch {
    // No JSON, or nested deeper than can be walked.
    return redactLooks(redactFields(text))
  }
}

export const redactHeaders = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isSecretField(name) ? REDACTED : redactLooks(Array.isArray(value) ? value.join(', ') : String(value)),
    ]),
  )

function withoutSecrets(value: unknown, found: { secret: boolean }): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, found))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      // That there is none is no secret.
      if (!isSecretField(name) || inner === null || typeof inner === 'boolean')
        return [name, withoutSecrets(inner, found)]
      found.secret = true
      return [name, REDACTED]
    }),
  )
}

/**
 * A name and what stands after it: a string that may be cut off, something nested, or a bare word. It begins where a word or
 * string does, so that text which is none of this is gone through once.
 */
const FIELD =
  /(?<![\w\\-])("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w-]+)(\s*[:=]\s*)("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[[{]|[^\s,}\]&]+)/g

function redactFields(text: string): string {
  let end: number | undefined
  const clean = text.replace(FIELD, (whole, name: string, colon: string, value: string, at: number) => {
    if (!isSecretField(unescaped(name)) || value === 'null') return whole
    // Where something nested ends cannot be told of text that is no JSON, so nothing after it is shown.
    if (/^[[{]/.test(value)) end ??= at
    return `${name}${colon}"${REDACTED}"`
  })
  return end === undefined ? clean : `${redactFields(text.slice(0, end))}"${REDACTED}"`
}

function unescaped(name: string): string {
  try {
    return String(JSON.parse(name))
  } catch {
    return name
  }
}
