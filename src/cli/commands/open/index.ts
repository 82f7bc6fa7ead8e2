import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { Refusal } from '../../../client/call.ts'
import { DEFAULT_NAMESPACE, namespaceOfApiKey } from '../../../words/api-key.ts'
import { INSPECTOR_PAGES, pageOfRecord } from '../../../words/inspector-page.ts'
import { ANY_UUID } from '../../../words/uuid.ts'
import { usage } from '../../process/exit.ts'
import type { Io } from '../../process/io.ts'
import { LAST, messageIdOf } from '../../session/last-sent.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('open')
    .description('Open the inspector, a page about the sandbox, in a browser')
    .argument(
      '[what]',
      `name of a page, id of a record ("${LAST}" for the message that was sent last), phone number or email address`,
    )
    .option('--print', 'print the address only')
    .addHelpText('after', NOTES)
  setAction(command, run, { group: 'watching', effect: 'reads', needs: 'sandbox' }, open)
}

/** What has a page, as part of a sentence. */
const RECORDS = 'a message, contact, agent, campaign, endpoint, delivery, event or request'

const NOTES = `
<what> is the id of ${RECORDS},
a phone number, an email address, or a page:
${INSPECTOR_PAGES.slice(0, 8).join(', ')},
${INSPECTOR_PAGES.slice(8).join(', ')}.

The browser is that of the system, or the program in BROWSER. For a sandbox that is open to others, the address carries its control
token after the hash, which browsers do not send.

Examples:
  $ sandbox open
  $ sandbox open billing
  $ sandbox open last
  $ sandbox open +491713920050`

async function open(session: Session, [what]: [string?], options: Record<string, unknown>) {
  const { io, output, endpoint } = session
  // A browser would only show that nothing answers.
  await callOperation(session, 'world.health')
  const url = inspectorUrl(endpoint, await placeOf(session, what))
  if (!options.print) await show(url, io)
  output.data({ url }, () => url)
}

/** Finds the inspector page for a name or an id. Refuses an unknown id, of which a browser would show an empty page. */
async function placeOf(session: Session, what = 'messages'): Promise<string> {
  if (INSPECTOR_PAGES.some((page) => page === what)) return what
  const id = what === LAST ? await messageIdOf(what, session) : what
  if (ANY_UUID.test(id)) return placeOfUuid(session, id)
  if (id.startsWith('dlv_')) {
    await callOperation(session, 'events.delivery', { params: { id }, isLookup: true })
    return `webhooks?selected=${encodeURIComponent(id)}`
  }
  const page = pageOfRecord(id)
  if (!page) throw usage(`The inspector has no page for "${what}".`, ACCEPTED)
  const operation = READS[page]
  if (operation) await callOperation(session, operation, { params: { id }, isLookup: true })
  return `${page}/${encodeURIComponent(id)}`
}

const ACCEPTED = `Pass the id of ${RECORDS}, a phone number, an email address, or a page: ${INSPECTOR_PAGES.join(', ')}.`

/** The reads of records. Every phone number and every email address has a page. */
const READS = {
  messages: 'messages.get',
  contacts: 'contacts.get',
  agents: 'agents.get',
  events: 'events.show',
  requests: 'logs.show',
  handsets: undefined,
  mailboxes: undefined,
} as const

/** The ids of campaigns and endpoints have no prefix. */
async function placeOfUuid(session: Session, id: string): Promise<string> {
  const { data } = await callOperation(session, 'webhooks.list', { payload: { limit: 200 }, isLookup: true })
  if (data.some((endpoint) => endpoint.id === id)) return `webhooks?endpoint_id=${id}`
  await callOperation(session, 'campaigns.show', { params: { id }, isLookup: true }).catch((error) => {
    if (!(error instanceof Refusal) || error.status !== 404) throw error
    const message = `There is no campaign and no webhook endpoint ${id} in this world.`
    throw new Refusal(error.status, { ...error.body, message }, error.headers, error.route)
  })
  return `campaigns/${id}`
}

function inspectorUrl({ baseUrl, apiKey, controlToken }: Session['endpoint'], place: string): string {
  const namespace = namespaceOfApiKey(apiKey) ?? DEFAULT_NAMESPACE
  const separator = place.includes('?') ? '&' : '?'
  const token = controlToken === undefined ? '' : `${separator}token=${encodeURIComponent(controlToken)}`
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
