import { chmodSync, existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { misconfigured, usage } from '../../process/exit.ts'

const NAME = 'SANDBOX_WEBHOOK_SECRET'
const LINE = new RegExp(`^(?:export[ \\t]+)?${NAME}=.*$`, 'm')

/**
 * Writes the secret into a file of variables, replacing an existing line; the file is replaced at once. The flag is
 * --write-env: Node takes --env-file as its own anywhere on the command line, and ends where the file does not exist.
 */
export function writeEnvFile(folder: string, name: string, secret: string) {
  const place = resolve(folder, name)
  const line = `${NAME}=${quoted(secret)}`
  try {
    const path = existsSync(place) ? realpathSync(place) : place
    const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const written = `${path}.${process.pid}.tmp`
    try {
      writeFileSync(written, withLine(before, line), { mode: 0o600, flag: 'wx' })
      // An existing file keeps its mode; the umask could narrow it.
      chmodSync(written, 0o600)
      renameSync(written, path)
    } finally {
      rmSync(written, { force: true })
    }
  } catch (error) {
    throw misconfigured(`${name} cannot be written: ${(error as Error).message}.`)
  }
}

function withLine(text: string, line: string): string {
  if (LINE.test(text)) return text.replace(LINE, () => line)
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`
}

/** Quotes a value so that shells, Node and dotenv read the same; they disagree about backslashes. */
function quoted(secret: string): string {
  if (/^[\w./:@%+=-]*$/.test(secret)) return secret
  if (!/['\r\n]/.test(secret)) return `'${secret}'`
  if (!/["$`\\\r\n!]/.test(secret)) return `"${secret}"`
  throw usage(
    '--write-env: the secret has both kinds of quotes, or a line break, which .env parsers read differently.',
    'Use another secret, or copy it from --print-secret.',
  )
}
