import type { Noun } from '../world/noun.ts'

/** What one folder brings; each module is read in when it is first needed. */
interface Folder {
  /** Operations, and what is said of their noun. */
  readonly contract?: () => Promise<object>
  /** What stands behind them: tables, due work, sections of the world file, routes. */
  readonly noun?: () => Promise<{ readonly noun: Noun }>
}

/**
 * Every folder that brings something, a line for each. Everything else follows from these lines: what a world is made of,
 * what the server answers, the client, the command line, the documents. Sections of a world file are loaded in this order,
 * so what others name comes first; help and documents list the nouns in it.
 */
// biome-ignore format: a line for each folder
export const registry = [
  { contract: () => import('../service/messages/contract.ts'), noun: () => import('../service/messages/index.ts') },
  { noun: () => import('../network/queue/index.ts') },
  { contract: () => import('../controls/explain/contract.ts'), noun: () => import('../controls/explain/index.ts') },
  { contract: () => import('../controls/rehearsal/contract.ts'), noun: () => import('../controls/rehearsal/index.ts') },
  { contract: () => import('../controls/search/contract.ts'), noun: () => import('../controls/search/index.ts') },
  { contract: () => import('../service/billing/contract.ts'), noun: () => import('../service/billing/index.ts') },
  { contract: () => import('../network/carriers/contract.ts'), noun: () => import('../network/carriers/index.ts') },
  { noun: () => import('../controls/carriers/index.ts') },
  { contract: () => import('../service/agents/contract.ts'), noun: () => import('../service/agents/index.ts') },
  { contract: () => import('../controls/agents/contract.ts'), noun: () => import('../controls/agents/index.ts') },
  { noun: () => import('../service/channels/index.ts') },
  { contract: () => import('../service/contacts/contract.ts'), noun: () => import('../service/contacts/index.ts') },
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
  { contract: () => import('../controls/world/contract.ts'), noun: () => import('../controls/world/index.ts') },
  { contract: () => import('../controls/snapshots/contract.ts'), noun: () => import('../controls/snapshots/index.ts') },
  { contract: () => import('../controls/namespaces/contract.ts'), noun: () => import('../controls/namespaces/index.ts') },
] as const satisfies readonly Folder[]
