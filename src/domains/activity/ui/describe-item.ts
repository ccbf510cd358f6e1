import type { ActivityItem } from '../contract.ts'

type DescribedItem = Pick<ActivityItem, 'note'> &
  Partial<Pick<ActivityItem, 'campaign' | 'team'>> & {
    is_task?: 0 | 1 | undefined
    files?: readonly unknown[] | undefined
  }

const maxLetters = 120

/** Returns what the question before a deletion says of an item: whose it is, its first words, and what goes with it. */
export function describeItem({ campaign, team, is_task, note, files = [] }: DescribedItem): string[] {
  const words = note.length > maxLetters ? `${note.slice(0, maxLetters).trimEnd()}…` : note
  const owner = campaign?.name ?? team?.name
  return [
    `${is_task ? 'Task' : 'Note'}${owner ? ` of ${owner}` : ''}: ${words}`,
    ...(files.length > 0 ? [files.length === 1 ? 'With 1 image.' : `With ${files.length} images.`] : []),
  ]
}
