import type { Import } from '../contract.ts'
import classes from './Imports.module.css'

/** The few numbers that matter, side by side. */
export function Counts({ one }: { one: Import }) {
  return (
    <dl className={classes.counts}>
      {numbersOf(one).map(([label, value, kind]) => (
        <div key={label} data-kind={value > 0 ? kind : undefined}>
          <dt>{label}</dt>
          <dd>{value.toLocaleString('en-US')}</dd>
        </div>
      ))}
    </dl>
  )
}

type Shown = [label: string, value: number, kind: 'ok' | 'bad' | 'warn' | 'neutral']

function numbersOf({ state, lines, fresh, known, refused, made, removed, kept }: Import): Shown[] {
  const all: Shown = ['Lines', lines, 'neutral']
  if (state === 'undone') return [all, ['Made', made, 'neutral'], ['Taken back', removed, 'ok'], ['Kept', kept, 'warn']]
  const first: Shown = state === 'checked' ? ['New', fresh, 'ok'] : ['Made', made, 'ok']
  return [all, first, ['Already there', known, 'neutral'], ['Refused', refused, 'bad']]
}
