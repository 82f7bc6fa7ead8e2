import { nouns } from '../../registry/api.ts'
import type { About } from '../../words/about.ts'

/** What the contracts say of their nouns, in the order of the registry. The build keeps them as plain values (scripts/build/baked.ts). */
export const abouts: readonly About[] = nouns
