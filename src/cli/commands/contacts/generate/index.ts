import { type Command, InvalidArgumentError } from 'commander'
import { FICTIONAL_PHONES } from '../../../../words/fictional-phones.ts'
import { withCommas } from '../../../../words/number-text.ts'
import { countOf, repeated } from '../../../generate/flags.ts'
import { setFacts } from '../../../help/facts.ts'
import { type Run, setAction } from '../../../session/session.ts'
import { type GenerateFlags, generate } from './run.ts'

export function addGenerate(group: Command, run: Run) {
  const command = group
    .command('generate')
    .description('Generate contacts for load tests')
    .argument('<count>', 'number of contacts', sizeOf)
    .option('--tag <tag>', 'tag of all generated contacts')
    .option('--consent <channel:type>', 'consent that every contact has granted (repeatable)', repeated(String))
    .addHelpText('after', NOTES)
  setFacts(command, { effect: 'writes', needs: 'sandbox' })
  setAction(command, run, (session, [count], options: GenerateFlags) => generate(session, Number(count), options))
}

function sizeOf(text: string): number {
  const count = countOf(text)
  if (count > FICTIONAL_PHONES)
    throw new InvalidArgumentError(`There are phone numbers for ${withCommas(FICTIONAL_PHONES)} contacts.`)
  return count
}

const NOTES = `
POST /_sandbox/contacts/generate

Names and addresses follow from the seed. Phone numbers are reserved for fiction, email addresses end in example.com.
Generated contacts emit no events.

Example:
  $ sandbox contacts generate 1000 --tag load --consent RCS:MESSAGE`
