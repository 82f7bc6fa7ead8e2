import { Refusal } from '../../client/call.ts'

/** Adds to each detail of a refusal the option or argument that sets its field, for people who type no bodies. */
export function withOptions(refusal: Refusal, optionOf: Readonly<Record<string, string>>): Refusal {
  const { status, body, details, headers, route } = refusal
  if (details.length === 0) return refusal
  const inOptions = (message: string) =>
    message.replace(/\b([Pp]ass) (\w+_\w+)/g, (words, pass, field) =>
      optionOf[field] ? `${pass} ${optionOf[field]}` : words,
    )
  const named = details.map((detail) => {
    const one = { ...detail, message: inOptions(detail.message) }
    // Of --content and --text, the second sets content.text.
    const [name] = Object.keys(optionOf)
      .filter((field) => isWithin(one.field, field))
      .sort((a, b) => b.length - a.length)
    if (name === undefined) return one
    // A place within a value is named too, but not that of an item in a list.
    const place = one.field.slice(name.length).replace(/^\./, '')
    return { ...one, option: /^(\[\d+\])?$/.test(place) ? optionOf[name] : `${optionOf[name]} (${place})` }
  })
  return new Refusal(status, { ...body, message: inOptions(refusal.reason), details: named }, headers, route)
}

const isWithin = (path: string, field: string) =>
  path === field || (path.startsWith(field) && /[.[]/.test(path[field.length]!))
