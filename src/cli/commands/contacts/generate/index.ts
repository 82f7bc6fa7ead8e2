import { type Command, InvalidArgumentError } from 'commander'
import { ChannelType, ConsentType } from '../../../../words/vocabulary.ts'
import { countOf, repeated } from '../../../generate/flags.ts'
import { setFacts } from '../../../help/facts.ts'
import { type Run, setAction } from '../../../session/session.ts'
import { type Consent, type GenerateFlags, generate } from './run.ts'

export function addGenerate(group: Command, run: Run) {
  const command = group
    .command('generate')
    .description('Generate contacts for load tests')
    .argument('<count>', 'number of contacts', countOf)
    .option('--tag <tag>', 'tag of all generated contacts')
    .option('--consent <channel:type>', 'consent that every contact has granted (repeatable)', repeated(consentOf), [])
    .addHelpText('after', NOTES)
  setFacts(command, { effect: 'writes', needs: 'sandbox' })
  setAction(command, run, (session, [count], options: GenerateFlags) => generate(session, Number(count), options))
}

function consentOf(text: string): Consent {
  const [channel, type, ...rest] = text.toUpperCase().split(':')
  const [channel_type, message_type] = [ChannelType.safeParse(channel), ConsentType.safeParse(type)]
  if (channel_type.success && message_type.success && rest.length === 0)
    return { channel_type: channel_type.data, message_type: message_type.data }
  throw new InvalidArgumentError(
    `It must be a channel (${ChannelType.options.join(', ')}) and a message type (${ConsentType.options.join(', ')}), such as RCS:MESSAGE.`,
  )
}

const NOTES = `
POST /_sandbox/contacts/generate

Names and addresses follow from the seed. Phone numbers are reserved for fiction, email addresses end in example.com.
Generated contacts emit no events.

Example:
  $ sandbox contacts generate 1000 --tag load --consent RCS:MESSAGE`
