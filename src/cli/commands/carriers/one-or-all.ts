import { usage } from '../../process/exit.ts'

/** One carrier; undefined for all. */
export function oneOrAll(name: string | undefined, all: boolean | undefined): string | undefined {
  if (name !== undefined && all) throw usage('Pass the name of a carrier or --all, not both.')
  if (name === undefined && !all)
    throw usage('Missing carrier.', 'Pass its name, as sandbox carriers list shows it, or --all.')
  return name
}
