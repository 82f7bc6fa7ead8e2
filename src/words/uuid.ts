/** A UUID in a pattern, of any version and in any case. Apart from the ids, so that a start reads in no schemas. */
export const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'

export const ANY_UUID = new RegExp(`^${UUID}$`)
