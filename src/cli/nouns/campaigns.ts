import { addStatus } from '../commands/campaigns/status/index.ts'
import type { NounCommands } from '../generate/noun.ts'
import { render } from '../output/render.ts'

export const commands: NounCommands<'campaigns'> = {
  args: { id: { describe: 'id of the campaign', example: '00000000-0000-4000-8000-000000000101' } },
  ids: 'sandbox world show lists the ids of campaigns.',
  first: ['define'],
  notes: `To see who gets what: "define --data campaign.json", "trigger <id>", "sandbox clock advance 25h", then "contacts <id> --query sent" (messages of each step) or "--query 'contacts[].[phone,path]'".`,
  verbs: {
    // Hand-written below, because it can follow a run.
    status: { skip: true },
    trigger: {
      done: 'campaign {id} is {status}',
      examples: [
        'sandbox campaigns trigger 00000000-0000-4000-8000-000000000101',
        'sandbox campaigns status 00000000-0000-4000-8000-000000000101 --watch',
      ],
    },
    pause: { done: 'campaign {id} is {status}' },
    resume: { done: 'campaign {id} is {status}' },
    define: {
      alias: 'create',
      done: 'campaign {campaign_id} defined',
      notes:
        'Without "next", the following node is next. A SEND by email has a channel_id instead of an agent_id; "sandbox world show --query channels" lists them. In the default world, 20 contacts have the tag campaign-demo.',
      examples: ['sandbox campaigns define --data campaign.json'],
    },
    contacts: {
      columns: ['phone', 'status'],
      forPeople: ({ contacts, total, sent }, paint) =>
        [
          render(
            {
              contacts: contacts.map(({ contact_id, phone, email, external_id, status, reason, path, tags }) => ({
                contact: phone ?? email ?? external_id ?? contact_id,
                status: reason ? `${status}: ${reason}` : status,
                path,
                tags,
              })),
              total,
            },
            paint,
            { columns: ['contact', 'status', 'path', 'tags'] },
          ),
          ...(sent.length > 0
            ? [paint.dim(`messages: ${sent.map(({ node, messages }) => `${node} ${messages}`).join(', ')}`)]
            : []),
        ].join('\n'),
      examples: [
        'sandbox campaigns contacts 00000000-0000-4000-8000-000000000101',
        'sandbox campaigns contacts 00000000-0000-4000-8000-000000000101 --query "reasons[].{reason: reason, contacts: contacts}"',
      ],
    },
    run: {
      done: 'campaign {id} is {status}',
      // The campaign of the default world has another trigger.
      examples: ['sandbox campaigns run <id>'],
    },
    event: {
      done: 'event of campaign {id} triggered',
      examples: ['sandbox campaigns event <id> --contact-id magic-50'],
    },
  },
  handWritten: [addStatus],
}
