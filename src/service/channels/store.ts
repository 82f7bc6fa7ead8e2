import type { ChannelType, ConsentType } from '../../words/vocabulary.ts'
import type { Database } from '../../world/storage/database.ts'

export const tables = `
CREATE TABLE channels (
  channel_id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  active INTEGER NOT NULL,
  domain_verified INTEGER NOT NULL,
  message_types TEXT NOT NULL,
  agent_id TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX channels_agent ON channels (agent_id) WHERE agent_id IS NOT NULL;
CREATE TABLE templates (
  template_id TEXT NOT NULL,
  version TEXT NOT NULL,
  position INTEGER NOT NULL,
  channel_type TEXT NOT NULL,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (template_id, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE previews (
  name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
`

export interface Channel {
  channel_id: string
  type: ChannelType
  name: string
  active: boolean
  domain_verified: boolean
  message_types: readonly ConsentType[]
  agent_id: string | null
}

type ChannelRow = Omit<Channel, 'active' | 'domain_verified' | 'message_types'> & {
  active: 0 | 1
  domain_verified: 0 | 1
  message_types: string
}

const toChannel = (row: ChannelRow): Channel => ({
  ...row,
  active: row.active === 1,
  domain_verified: row.domain_verified === 1,
  message_types: JSON.parse(row.message_types),
})

export interface TemplateRow {
  template_id: string
  version: string
  /** Rises with each version. */
  position: number
  channel_type: ChannelType
  name: string
  /** JSON of the content, with `{{variables}}`. */
  content: string
}

export function channelStore(db: Database) {
  const get = db.one<ChannelRow, [string]>('SELECT * FROM channels WHERE channel_id = ?')
  const ofAgent = db.one<ChannelRow, [string]>('SELECT * FROM channels WHERE agent_id = ?')
  const list = db.all<ChannelRow>('SELECT * FROM channels ORDER BY channel_id')
  const template = db.one<TemplateRow, [string, string]>(
    'SELECT * FROM templates WHERE template_id = ? AND version = ?',
  )
  const latestTemplate = db.one<TemplateRow, [string]>(
    'SELECT * FROM templates WHERE template_id = ? ORDER BY position DESC LIMIT 1',
  )
  const preview = db.value<1, [string]>('SELECT 1 FROM previews WHERE name = ?')
  const channelIn = (row: ChannelRow | undefined) => row && toChannel(row)
  const byId = db.cached((id: string) => channelIn(get(id)))
  const byAgent = db.cached((agentId: string) => channelIn(ofAgent(agentId)))
  const previews = db.cached((name: string) => preview(name) !== undefined)
  const insert = db.insert<ChannelRow>('channels', byId, byAgent)
  return {
    hasPreview: (name: string): boolean => previews.get(name),
    insertPreview: db.run<[string]>('INSERT INTO previews (name) VALUES (?)', previews),
    get: (id: string) => byId.get(id),
    ofAgent: (agentId: string) => byAgent.get(agentId),
    list: () => list().map(toChannel),
    insert: ({ active, domain_verified, message_types, ...rest }: Channel) =>
      insert({
        ...rest,
        active: active ? 1 : 0,
        domain_verified: domain_verified ? 1 : 0,
        message_types: JSON.stringify(message_types),
      }),
    template: (id: string, version: string | undefined) =>
      version === undefined ? latestTemplate(id) : template(id, version),
    templates: db.all<TemplateRow>('SELECT * FROM templates ORDER BY template_id, position'),
    insertTemplate: db.insert<TemplateRow>('templates'),
  }
}
