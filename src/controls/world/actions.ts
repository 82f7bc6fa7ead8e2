import { magicRecipientsOf } from '../../network/carriers/actions.ts'
import { agentsOf } from '../../service/agents/actions.ts'
import { campaignsOf } from '../../service/campaigns/actions.ts'
import { channelsOf, templatesOf } from '../../service/channels/actions.ts'
import { variablesOf } from '../../service/channels/template.ts'
import { apiKeyOf } from '../../words/api-key.ts'
import { dumpWorld } from '../../world/file/dump.ts'
import { yieldToRequests } from '../../world/machine-time.ts'
import type { Action, AsyncAction } from '../../world/noun.ts'
import { resetScope } from '../../world/reset.ts'
import type { World } from '../../world/world.ts'
import { sourceOf } from '../../world/worlds/template.ts'
import { carrierAnswers } from '../carriers/actions.ts'
import { reading } from '../clock/actions.ts'
import type { dumpWorldFile, resetWorld, showWorld } from './contract.ts'

export const show: Action<typeof showWorld> = (world) => ({
  namespace: world.namespace,
  // Without the folder, which concerns the machine of the sandbox.
  made_from: sourceOf(world).origin?.replace(/^.*[\\/]/, '') ?? null,
  seed: world.seed,
  clock: reading(world),
  agents: agentsOf(world).map(
    ({ agent_id, status, use_case, billing_category, newsletter_enabled, profile, launches }) => ({
      agent_id,
      display_name: profile.display_name ?? null,
      status,
      use_case,
      billing_category,
      newsletter_enabled,
      launched_on: launches.filter(({ status }) => status === 'LAUNCHED').map(({ carrier }) => carrier),
    }),
  ),
  channels: channelsOf(world).map(({ message_types, ...channel }) => ({
    ...channel,
    message_types: [...message_types],
  })),
  templates: templatesOf(world).map(({ template_id, version, channel_type, name, content }) => ({
    template_id,
    version,
    channel_type,
    name,
    variables: variablesOf(JSON.parse(content)),
  })),
  campaigns: campaignsOf(world).map(({ campaign_id, name, trigger, status }) => ({
    campaign_id,
    name,
    trigger,
    status,
  })),
  carriers: carrierAnswers(world),
  magic_recipients: magicRecipientsOf(world).map(({ address, does }) => ({ address, does })),
})

export const reset: AsyncAction<typeof resetWorld> = async (world, { body }) => {
  await resetScope(world, body.scope)
  return { namespace: world.namespace, scope: body.scope, clock: reading(world) }
}

/** GET /_sandbox/world/dump. It is written in pieces, between which other requests are answered. */
export const dump: AsyncAction<typeof dumpWorldFile> = async (world, { query }) => {
  const yamlOf = await yamlWriter()
  const pieces = [headOf(world, query.secrets)]
  for (const [key, value] of Object.entries(dumpWorld(world, query))) {
    for (const [i, part] of partsOf(value).entries()) {
      const text = yamlOf({ [key]: part })
      pieces.push(i === 0 ? `\n${text}` : text.slice(text.indexOf('\n') + 1))
      await yieldToRequests()
    }
  }
  return pieces.join('')
}

const partsOf = (value: unknown): unknown[] =>
  Array.isArray(value) && value.length > PART
    ? Array.from({ length: Math.ceil(value.length / PART) }, (_, i) => value.slice(i * PART, (i + 1) * PART))
    : [value]

/** Entries of a list that are written in one piece. */
const PART = 100
const MAX_LINE_LENGTH = 120

/** Writes short objects of plain values on one line. YAML is loaded on demand, because this call is rare. */
async function yamlWriter(): Promise<(content: object) => string> {
  const { Document, isPair, isScalar, visit } = await import('yaml')
  return (content) => {
    const document = new Document(content, { aliasDuplicateObjects: false })
    visit(document, {
      // Without quotes it would merge.
      Pair(_, { key }) {
        if (isScalar(key) && key.value === '<<') key.type = 'QUOTE_DOUBLE'
      },
      Collection(_, node) {
        if (node === document.contents) return
        const items = node.items.map((item) => (isPair(item) ? item.value : item))
        node.flow = items.every(isScalar) && JSON.stringify(node).length < MAX_LINE_LENGTH
      },
    })
    return document.toString({ lineWidth: 0 })
  }
}

const headOf = ({ namespace }: World, secrets: boolean) => `\
# The world of the key ${apiKeyOf(namespace)}, written by: sandbox world dump${secrets ? ' --secrets' : ''}
# Start a copy of it: sandbox start --world FILE --data NEW_FOLDER
#
# Not included: messages in progress (their holds are released), events and deliveries, runs of campaigns, reviews, open
# conversations, inboxes, phones of the Test Agent, links of double opt-in, and times: everything in this file exists from
# the start of its world.
${secrets ? '' : WITHOUT_SECRETS}`

const WITHOUT_SECRETS = `\
# The secrets of webhooks are left out, and the new world generates others. User, password and query in the URLs of
# webhooks are "redacted"; paths are not. --secrets includes all of them.
`
