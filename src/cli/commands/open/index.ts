import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { namespaceOfApiKey } from '../../../words/api-key.ts'
import type { Io } from '../../process/io.ts'
import { LAST, messageIdOf } from '../../session/last-sent.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('open')
    .description('Open the inspector, a page about the sandbox, in a browser')
    .argument('[what]', `message id ("${LAST}" for the message that was sent last), phone number or email address`)
    .option('--print', 'print the address only')
    .addHelpText('after', NOTES)
  setAction(command, run, { group: 'watching', effect: 'reads', needs: 'sandbox' }, open)
}

const NOTES = `
The browser is that of the system, or the program in BROWSER. For a sandbox that is open to others, the address carries its control
token after the hash, which browsers do not send.

Examples:
  $ sandbox open
  $ sandbox open last
  $ sandbox open +491713920050`

async function open(session: Session, [what]: [string?], options: Record<string, unknown>) {
  const { io, output, endpoint } = session
  // Checks that the record exists before a browser shows an empty page.
  await callOperation(session, 'world.health')
  const url = inspectorUrl(endpoint, await placeOf(session, what))
  if (!options.print) await show(url, io)
  output.data({ url }, () => url)
}

/** Finds the inspector page for an id by its form. */
async function placeOf(session: Session, what: string | undefined): Promise<string> {
  if (what === undefined) return 'messages'
  if (what.includes('@')) return `mailboxes/${encodeURIComponent(what)}`
  if (what.startsWith('+')) return `handsets/${encodeURIComponent(what)}`
  return `messages/${encodeURIComponent(await messageIdOf(what, session))}`
}

function inspectorUrl({ baseUrl, apiKey, controlToken }: Session['endpoint'], place: string): string {
  const namespace = namespaceOfApiKey(apiKey) ?? 'default'
  const token = controlToken === undefined ? '' : `?token=${encodeURIComponent(controlToken)}`
  return `${baseUrl.replace(/\/+$/, '')}/#/${namespace}/${place}${token}`
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Starts a browser without a shell, so that the address is never read as a command. A machine without a browser is not a
 * failure.
 */
async function show(url: string, { env }: Io): Promise<void> {
  const [program, ...args] = env.BROWSER ? [env.BROWSER] : (OPENERS[process.platform] ?? ['xdg-open'])
  const child = spawn(program!, [...args, url], { stdio: 'ignore', detached: true })
  await new Promise<void>((resolve) => {
    child.once('spawn', resolve)
    child.once('error', () => resolve())
  })
  child.unref()
}
