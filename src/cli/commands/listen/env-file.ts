import { existsSync } from 'node:fs'
import { usage } from '../../process/exit.ts'
import { placeOf, textOf, writeWhole } from '../../process/files.ts'
import type { Io } from '../../process/io.ts'

const NAME = 'SANDBOX_WEBHOOK_SECRET'
/** All its lines, because the last one counts, and what is before the name stays: `export` is for shells. */
const LINES = new RegExp(`^([ \\t]*(?:export[ \\t]+)?)${NAME}[ \\t]*=.*$`, 'gm')

/**
 * Writes the secret into a file of variables, replacing an existing line. The flag is --write-env: Node takes --env-file
 * as its own anywhere on the command line, and ends where the file does not exist.
 */
export async function writeEnvFile(io: Io, path: string, secret: string) {
  const line = `${NAME}=${quoted(secret)}`
  const place = await placeOf(io, path, true)
  const before = existsSync(place) ? await textOf(io, place) : ''
  await writeWhole(io, path, withLine(before, line), { force: true })
}

function withLine(text: string, line: string): string {
  if (text.search(LINES) >= 0) return text.replace(LINES, (_, before: string) => before + line)
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
