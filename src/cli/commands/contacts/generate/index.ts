import type { Command } from 'commander'
import { FICTIONAL_PHONES } from '../../../../words/fictional-phones.ts'
import { withCommas } from '../../../../words/number-text.ts'
import { countOf, repeated } from '../../../generate/flags.ts'
import { progressBar } from '../../../output/progress.ts'
import { EXIT, type ExitCode, usage } from '../../../process/exit.ts'
import { parserOf } from '../../../process/parser-of.ts'
import { type Run, type Session, setAction } from '../../../session/session.ts'
import { callOperation } from '../../../target/call-operation.ts'

interface GenerateFlags {
  tag?: string
  consent?: string[]
}

export function addGenerate(group: Command, run: Run) {
  const command = group
    .command('generate')
    .description('Generate contacts for load tests')
    .argument('<count>', 'number of contacts', sizeOf)
    .option('--tag <tag>', 'tag of all generated contacts')
    .option('--consent <channel:type>', 'consent that every contact has granted (repeatable)', repeated(String))
    .addHelpText('after', NOTES)
  setAction(command, run, { effect: 'writes', needs: 'sandbox' }, generate)
}

const sizeOf = parserOf(
  (text) => {
    const count = countOf(text)
    return count > FICTIONAL_PHONES ? undefined : count
  },
  `There are phone numbers for ${withCommas(FICTIONAL_PHONES)} contacts.`,
)

const NOTES = `
POST /_sandbox/contacts/generate

Names and addresses follow from the seed. Phone numbers are reserved for fiction, email addresses end in example.com.
Generated contacts emit no events.

Example:
  $ sandbox contacts generate 1000 --tag load --consent RCS:MESSAGE`

/** Contacts per request, so that the bar moves several times a second. */
const CHUNK = 10_000

async function generate(session: Session, [count]: [number], { tag, consent = [] }: GenerateFlags): Promise<ExitCode> {
  const consents = await consentsOf(consent)
  const bar = progressBar(session)
  let generated = 0
  try {
    do {
      const payload = { count: Math.min(CHUNK, count - generated), tag, consent: consents }
      generated += (await callOperation(session, 'contacts.generate', { payload })).generated
      bar.show(generated / count, `${withCommas(generated)} contacts`)
    } while (generated < count)
  } catch (error) {
    if (generated > 0)
      session.output.warn({ message: `Earlier parts of this command generated ${withCommas(generated)} contacts.` })
    throw error
  } finally {
    bar.end()
  }
  session.output.data({ generated }, (paint) => `${paint.green('✓')} ${withCommas(generated)} contacts are generated`)
  return EXIT.ok
}

async function consentsOf(texts: readonly string[]) {
  const { ChannelType, ConsentType } = await import('../../../../words/vocabulary.ts')
  return texts.map((text) => {
    const [channel, type, ...rest] = text.toUpperCase().split(':')
    const [channel_type, message_type] = [ChannelType.safeParse(channel), ConsentType.safeParse(type)]
    if (channel_type.success && message_type.success && rest.length === 0)
      return { channel_type: channel_type.data, message_type: message_type.data }
    throw usage(
      `--consent must be a channel (${ChannelType.options.join(', ')}) and a message type (${ConsentType.options.join(', ')}), such as RCS:MESSAGE.`,
    )
  })
}
