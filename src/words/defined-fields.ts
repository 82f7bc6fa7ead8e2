/** The object without its undefined fields, which would hide the defaults that it is spread over. */
export const definedFields = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
