import { type Clock, systemClock } from 'pg-boss'

/**
 * The clock of this machine, except that it never goes back. pg-boss checks schedules and dead workers once its clock reads a time that it
 * noted earlier: were it the machine's own, then after that is set back by an hour no scheduled job would start for an hour, and after a
 * month or more pg-boss would ask every millisecond.
 */
export function createForwardClock(): Clock {
  let start = 0
  const now = () => {
    const elapsed = performance.now()
    start = Math.max(start, Date.now() - elapsed)
    return Math.round(start + elapsed)
  }
  return { ...systemClock, now }
}
