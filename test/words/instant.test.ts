import { expect, test } from 'vitest'
import { Instant } from '../../src/words/instant.ts'

const pattern = Instant.meta()?.pattern as string
const day = (n: number) => new Date(Date.UTC(2095, 0, 1) + n * 86_400_000).toISOString().slice(0, 10)
const isDay = (date: string) => new RegExp(pattern).test(`${date}T10:00Z`)

test('the documents permit the days that exist, in leap years and others', () => {
  const tenYears = Array.from({ length: 3_652 }, (_, n) => day(n))
  expect(tenYears.filter((date) => !isDay(date))).toEqual([])
  expect(['2095-02-29', '2100-02-29', '2096-02-30', '2096-04-31', '2096-12-32', '2096-00-01'].filter(isDay)).toEqual([])
  expect(isDay('2000-02-29')).toBe(true)
})
