import type { Export } from './export.ts'
import type { Intake } from './intake.ts'
import type { SiteChecks } from './site-checks.ts'
import type { Staff } from './staff.ts'

/** Sentences below the table. */

export const memoryOf = ({ megabytes, firstBytes, peakMemory, grownBy }: Export) =>
  `The export wrote ${megabytes.toFixed(0)} MB, the first bytes after ${firstBytes.toFixed(2)} s; the app's memory grew by at most ${grownBy.toFixed(0)} MB, to ${peakMemory.toFixed(0)} MB.`

export const daysWork = ({ people, seconds, requests, p50, p99, slowest, told }: Staff) =>
  `${people} staff made ${requests} requests in ${seconds} s: the median took ${p50.toFixed(1)} ms, the 99th percentile ${p99.toFixed(1)} ms; the slowest request is the ${slowest}.${told ? ` Their ${told.changes} looks at what others changed came ${told.p50.toFixed(1)} ms after the edit was sent at the median, ${told.p99.toFixed(1)} ms at the 99th percentile.` : ''}`

export const fateOf = ({ answered, became, drained, bytes }: Intake) =>
  `${answered} events of ${bytes} bytes were answered and ${became} became leads, the last one ${drained.toFixed(1)} s after the last response.`

export const describeRound = ({ date, sites, checks, seconds, memory, grownBy, leftBehind, waitedMs }: SiteChecks) =>
  `A round over ${sites.toLocaleString('en-US')} sites, measured on ${date}: ${checks.toLocaleString('en-US')} checks in ${seconds.toFixed(0)} s. One site in twenty each is slow, redirects, fails or never answers. After the first tenth the memory of ${memory.toFixed(0)} MB grew by at most ${grownBy.toFixed(0)} MB, most of it garbage that is not collected yet (goal 64); what was in use at the end, after a garbage collection, was ${Math.abs(leftBehind).toFixed(1)} MB ${leftBehind < 0 ? 'less' : 'more'} than at the first tenth. Other requests to the process waited ${waitedMs.toFixed(0)} ms at the 99th percentile.`
