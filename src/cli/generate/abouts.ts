import { nouns } from '../../registry/api.ts'
import type { About } from '../../words/about.ts'

/** The nouns in the order of the registry. The build replaces them by plain values (scripts/build/baked.ts). */
export const abouts: readonly About[] = nouns
