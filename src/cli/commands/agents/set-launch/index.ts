import { type Command, Option } from 'commander'
import { fieldOf } from '../../../generate/form.ts'
import { setFacts } from '../../../help/facts.ts'
import { type Run, setAction } from '../../../session/session.ts'
import { type SetLaunchFlags, setLaunch } from './run.ts'

export function addSetLaunch(group: Command, run: Run) {
  const command = group
    .command('set-launch')
    .description('Set the launch status of an approved agent on carriers')
    .argument('<id>', 'id of the agent: ag_…')
    .argument('[carrier]', 'name of the carrier; omit it with --all')
    .argument('[status]', fieldOf('agents.setLaunch', 'status').choices!.join(', '))
    .option('--all', 'all carriers of the world')
    .addOption(new Option('--reason <text>', 'reason of REJECTED'))
    .addHelpText('after', NOTES)
  setFacts(command, { effect: 'writes', needs: 'sandbox' })
  setAction(command, run, (session, args, flags: SetLaunchFlags) => setLaunch(session, args, flags), {
    typedAs: { rejection_reason: '--reason' },
  })
}

const NOTES = `
With PENDING the carrier decides again, as the world file defines.

PATCH /_sandbox/agents/{id}/launch

Examples:
  $ sandbox agents set-launch ag_live_00000000-0000-4000-8000-000000000006 --all LAUNCHED
  $ sandbox agents set-launch ag_live_00000000-0000-4000-8000-000000000001 nordfunk REJECTED --reason "No opt-out."`
