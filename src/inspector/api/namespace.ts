import { computed } from '@preact/signals'
import { place } from './place.ts'

/** The world that the page shows; the first step of its address. */
export const namespace = computed(() => place.value.namespace)
