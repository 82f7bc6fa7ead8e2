import { addSetLaunch } from '../commands/agents/set-launch/index.ts'
import type { NounCommands } from '../generate/noun.ts'
import { render } from '../output/render.ts'

/** test/cli/help.test.ts compares it with the default world. */
export const APPROVAL = 'it is approved after 2 s of the clock and live on all carriers after 5 s'

export const commands: NounCommands<'agents'> = {
  args: { id: { describe: 'id of the agent: ag_…', example: 'ag_live_00000000-0000-4000-8000-000000000001' } },
  ids: 'sandbox world show lists the ids of agents.',
  notes: `From draft to live: create an agent and submit it. By default, ${APPROVAL}; "agents launch-status" shows it. At once: "agents review <id> --outcome approved" and "agents set-launch <id> --all LAUNCHED".
"agents provision" does everything in one step. The agent keeps its id ag_draft_…: send with that. A brand profile is not required, except in the world strict.`,
  verbs: {
    create: {
      asks: ['display_name', 'newsletter_enabled'],
      done: 'agent {agent_id} created: {status}',
      forPeople: (created, paint) =>
        `${render(created, paint)}\n  Next  ${paint.command(`agents submit ${created.agent_id}`)}`,
      examples: [
        'sandbox agents create --region EUROPE --billing-category CONVERSATIONAL --use-case MULTI_USE --display-name Shop',
      ],
    },
    update: {
      done: 'agent {agent_id} updated',
      examples: ['sandbox agents update ag_draft_00000000-0000-4000-8000-000000000005 --display-name "Corner shop"'],
    },
    submit: {
      done: 'agent {agent_id} submitted: {status}',
      forPeople: (submitted, paint) =>
        [
          render(submitted, paint),
          `By default, ${APPROVAL}.`,
          `  Next  ${paint.command(`agents launch-status ${submitted.agent_id}`)}`,
        ].join('\n'),
      examples: ['sandbox agents submit ag_draft_00000000-0000-4000-8000-000000000005'],
    },
    launch: { name: 'launch-status' },
    provision: {
      done: 'agent {agent_id} created and launched: {status}',
      examples: [
        'sandbox agents provision --region EUROPE --billing-category NON_CONVERSATIONAL --use-case OTP --launched-on nordfunk',
      ],
    },
    review: {
      done: 'agent {agent_id} is {status}',
      examples: ['sandbox agents review ag_draft_00000000-0000-4000-8000-000000000005 --outcome approved'],
    },
    suspend: { done: 'agent {agent_id} is {status}' },
    reinstate: { done: 'agent {agent_id} is {status} again' },
    // Hand-written in commands/agents/set-launch, which knows --all.
    setLaunch: { skip: true },
  },
  handWritten: [addSetLaunch],
}
