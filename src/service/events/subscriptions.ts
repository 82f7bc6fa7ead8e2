import { eventFamilies, eventNames } from './catalogue.ts'

/** Families, then names, as filters take them. The build replaces them by plain values (scripts/build/baked.ts). */
export const EVENT_NAMES: readonly string[] = [...eventFamilies, ...eventNames]
