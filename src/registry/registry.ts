import type { Noun } from '../world/noun.ts'

/** The modules of one folder, loaded on demand. */
interface Folder {
  /** Operations and the description of the noun. */
  readonly contract?: () => Promise<object>
  /** Tables, due work, sections of the world file, routes. */
  readonly noun?: () => Promise<{ readonly noun: Noun }>
}

/**
 * All folders that bring something, one line each. World tables, routes, the client, the command line and documents
 * follow from it. World file sections are loaded in this order, so referenced ones come first; help and documents use
 * the same order.
 */
// biome-ignore format: a line for each folder
export const registry = [
  { contract: () => import('../service/messages/contract.ts'), noun: () => import('../service/messages/index.ts') },
  { noun: () => import('../network/queue/index.ts') },
  { contract: () => import('../controls/explain/contract.ts'), noun: () => import('../controls/explain/index.ts') },
  { contract: () => import('../controls/rehearsal/contract.ts'), noun: () => import('../controls/rehearsal/index.ts') },
  { contract: () => import('../controls/lint/contract.ts'), noun: () => import('../controls/lint/index.ts') },
  { contract: () => import('../controls/search/contract.ts'), noun: () => import('../controls/search/index.ts') },
  { contract: () => import('../service/billing/contract.ts'), noun: () => import('../service/billing/index.ts') },
  { contract: () => import('../controls/billing/contract.ts'), noun: () => import('../controls/billing/index.ts') },
  { contract: () => import('../network/carriers/contract.ts'), noun: () => import('../network/carriers/index.ts') },
  { noun: () => import('../controls/carriers/index.ts') },
  { contract: () => import('../service/agents/contract.ts'), noun: () => import('../service/agents/index.ts') },
  { contract: () => import('../controls/agents/contract.ts'), noun: () => import('../controls/agents/index.ts') },
  { noun: () => import('../service/channels/index.ts') },
  { contract: () => import('../service/contacts/contract.ts'), noun: () => import('../service/contacts/index.ts') },
  { contract: () => import('../controls/contacts/contract.ts'), noun: () => import('../controls/contacts/index.ts') },
  { contract: () => import('../service/consent/contract.ts'), noun: () => import('../service/consent/index.ts') },
  { contract: () => import('../controls/consent/contract.ts'), noun: () => import('../controls/consent/index.ts') },
  { noun: () => import('../service/conversations/index.ts') },
  { contract: () => import('../service/campaigns/contract.ts'), noun: () => import('../service/campaigns/index.ts') },
  { contract: () => import('../controls/campaigns/contract.ts'), noun: () => import('../controls/campaigns/index.ts') },
  { noun: () => import('../network/rules/index.ts') },
  { contract: () => import('../controls/rules/contract.ts'), noun: () => import('../controls/rules/index.ts') },
  { noun: () => import('../network/handsets/index.ts') },
  { contract: () => import('../controls/handsets/contract.ts'), noun: () => import('../controls/handsets/index.ts') },
  { noun: () => import('../network/mailboxes/index.ts') },
  { contract: () => import('../controls/mailboxes/contract.ts'), noun: () => import('../controls/mailboxes/index.ts') },
  { noun: () => import('../network/inbox/index.ts') },
  { contract: () => import('../controls/inbox/contract.ts'), noun: () => import('../controls/inbox/index.ts') },
  { contract: () => import('../service/test-agent/contract.ts'), noun: () => import('../service/test-agent/index.ts') },
  { noun: () => import('../service/events/index.ts') },
  { contract: () => import('../service/webhooks/contract.ts'), noun: () => import('../service/webhooks/index.ts') },
  { contract: () => import('../controls/events/contract.ts'), noun: () => import('../controls/events/index.ts') },
  { contract: () => import('../controls/triggers/contract.ts'), noun: () => import('../controls/triggers/index.ts') },
  { contract: () => import('../controls/faults/contract.ts'), noun: () => import('../controls/faults/index.ts') },
  { contract: () => import('../controls/leases/contract.ts'), noun: () => import('../controls/leases/index.ts') },
  { contract: () => import('../controls/clock/contract.ts'), noun: () => import('../controls/clock/index.ts') },
  { contract: () => import('../controls/logs/contract.ts'), noun: () => import('../controls/logs/index.ts') },
  { contract: () => import('../controls/evidence/contract.ts'), noun: () => import('../controls/evidence/index.ts') },
  { contract: () => import('../controls/world/contract.ts'), noun: () => import('../controls/world/index.ts') },
  { contract: () => import('../controls/snapshots/contract.ts'), noun: () => import('../controls/snapshots/index.ts') },
  { contract: () => import('../controls/namespaces/contract.ts'), noun: () => import('../controls/namespaces/index.ts') },
  { contract: () => import('../controls/audit/contract.ts'), noun: () => import('../controls/audit/index.ts') },
  { contract: () => import('../controls/cluster/contract.ts'), noun: () => import('../controls/cluster/index.ts') },
] as const satisfies readonly Folder[]
