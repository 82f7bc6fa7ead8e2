import type { ChannelType } from '../../words/vocabulary.ts'
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

export interface ChannelRow {
  channel_id: string
  type: ChannelType
  name: string
  active: 0 | 1
  domain_verified: 0 | 1
  /** JSON array. */
  message_types: string
  agent_id: string | null
}

export type Channel = ReturnType<typeof toChannel>

const toChannel = ({ channel_id, type, name, active, domain_verified, message_types, agent_id }: ChannelRow) => ({
  channel_id,
  type,
  name,
  agent_id,
  isActive: active === 1,
  isDomainVerified: domain_verified === 1,
  messageTypes: JSON.parse(message_types) as readonly string[],
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
  const get = db.prepare<ChannelRow>('SELECT * FROM channels WHERE channel_id = ?')
  const ofAgent = db.prepare<ChannelRow>('SELECT * FROM channels WHERE agent_id = ?')
  const list = db.prepare<ChannelRow>('SELECT * FROM channels ORDER BY channel_id')
  const insert = db.prepare(
    `INSERT INTO channels (channel_id, type, name, active, domain_verified, message_types, agent_id)
     VALUES (:channel_id, :type, :name, :active, :domain_verified, :message_types, :agent_id)`,
  )
  const template = db.prepare<TemplateRow>('SELECT * FROM templates WHERE template_id = ? AND version = ?')
  const latestTemplate = db.prepare<TemplateRow>(
    'SELECT * FROM templates WHERE template_id = ? ORDER BY position DESC LIMIT 1',
  )
  const templates = db.prepare<TemplateRow>('SELECT * FROM templates ORDER BY template_id, position')
  const insertTemplate = db.prepare(
    `INSERT INTO templates (template_id, version, position, channel_type, name, content)
     VALUES (:template_id, :version, :position, :channel_type, :name, :content)`,
  )
  const preview = db.prepare('SELECT 1 FROM previews WHERE name = ?')
  const insertPreview = db.prepare('INSERT INTO previews (name) VALUES (?)')
  const channelIn = (row: ChannelRow | undefined) => row && toChannel(row)
  const byId = db.cached((id: string) => channelIn(get.get(id)))
  const byAgent = db.cached((agentId: string) => channelIn(ofAgent.get(agentId)))
  const previews = db.cached((name: string) => preview.get(name) !== undefined)
  return {
    hasPreview: (name: string): boolean => previews.get(name),
    insertPreview(name: string) {
      insertPreview.run(name)
      previews.invalidate()
    },
    get: (id: string) => byId.get(id),
    ofAgent: (agentId: string) => byAgent.get(agentId),
    list: () => list.all().map(toChannel),
    insert(row: ChannelRow) {
      insert.run({ ...row })
      byId.invalidate()
      byAgent.invalidate()
    },
    template: (id: string, version: string | undefined) =>
      version === undefined ? latestTemplate.get(id) : template.get(id, version),
    templates: () => templates.all(),
    insertTemplate: (row: TemplateRow) => void insertTemplate.run({ ...row }),
  }
}
