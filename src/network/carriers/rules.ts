import { type CarrierChange, type CarrierProfile, ownFields } from './contract.ts'
import { presets } from './presets.ts'

/** `opened+label@sandbox.test` is the same recipient as `opened@sandbox.test`. */
export const withoutLabel = (email: string): string => email.toLowerCase().replace(/\+[^@]*@/, '@')

/** The carrier of an ordinary number: by weight, from one draw. */
export function carrierByDraw(carriers: readonly CarrierProfile[], draw: number): CarrierProfile {
  const total = carriers.reduce((sum, { weight }) => sum + weight, 0)
  let upTo = 0
  for (const carrier of carriers) {
    upTo += carrier.weight / total
    if (draw < upTo) return carrier
  }
  return carriers.at(-1)!
}

/** When the next message may leave after one that left at `lastAt`, ms; with a throughput of three a second, every 333⅓. */
export const nextPlace = (lastAt: number, throughput: number | null | undefined): number =>
  throughput == null ? lastAt : lastAt + 1_000 / throughput

/** The ms of a place. What is lost in sums of fractions does not make it one ms too early. */
export const instantOf = (at: number): number => Math.floor(at + 0.001)

/** A carrier after a change: a preset first, then what is given beside it. Delivered is again what the others leave. */
export function changedCarrier(before: CarrierProfile, { preset, ...given }: CarrierChange): CarrierProfile {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { ...before, ...(preset && presets[preset]), ...said, delivered: undefined }
}

/** The fields in which two profiles differ, however they write the same. */
export function changedFieldsOf(original: CarrierProfile, now: CarrierProfile): string[] {
  const text = (profile: CarrierProfile, field: string) =>
    JSON.stringify(profile[field as keyof CarrierProfile] ?? null)
  return ownFields.filter((field) => text(original, field) !== text(now, field))
}
