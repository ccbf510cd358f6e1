import text from '#ui/theme/text.module.css'
import type { Import } from '../contract.ts'
import classes from './Imports.module.css'

/** The few numbers that matter, side by side. */
export function ImportCountList({ one }: { one: Import }) {
  return (
    <dl className={classes.counts}>
      {listCounts(one).map(([label, value, kind]) => (
        <div key={label} data-kind={value > 0 ? kind : undefined}>
          <dt className={text.caption}>{label}</dt>
          <dd>{value.toLocaleString('en-US')}</dd>
        </div>
      ))}
    </dl>
  )
}

type CountItem = [label: string, value: number, kind: 'ok' | 'bad' | 'warn' | 'neutral']

function listCounts({ state, lines, fresh, known, refused, made, removed, kept }: Import): CountItem[] {
  const all: CountItem = ['Lines', lines, 'neutral']
  if (state === 'undone') return [all, ['Created', made, 'neutral'], ['Removed', removed, 'ok'], ['Kept', kept, 'warn']]
  const first: CountItem = state === 'checked' ? ['New', fresh, 'ok'] : ['Created', made, 'ok']
  return [all, first, ['Already there', known, 'neutral'], ['Refused', refused, 'bad']]
}
