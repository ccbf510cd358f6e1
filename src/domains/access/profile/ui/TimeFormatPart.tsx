import { Group, Radio } from '@mantine/core'
import type { TimeFormat } from '#domains/access/labels.ts'
import { timeFormats } from '#domains/access/labels.ts'
import { cacheCurrentUser } from '#domains/access/ui/current-user.ts'
import { useAction } from '#ui/data/useAction.ts'
import { profileContract } from '../contract.ts'
import type { ProfilePartProps } from './part-props.ts'

const labels: Record<TimeFormat, string> = { '12h': '12 hours (03:04 PM)', '24h': '24 hours (15:04)' }

/** How screens show a time of day. Saved immediately. */
export default function TimeFormatPart({ me }: ProfilePartProps) {
  const { run } = useAction(profileContract.saveSettings, {
    optimistic: ({ body }) => {
      cacheCurrentUser({ ...me, ...body })
      return () => cacheCurrentUser(me)
    },
  })
  return (
    <Radio.Group
      value={me.time_format}
      onChange={(time_format) => void run({ body: { time_format: time_format as TimeFormat } })}
      aria-label="Time format"
    >
      <Group gap="lg">
        {timeFormats.map((format) => (
          <Radio key={format} value={format} label={labels[format]} />
        ))}
      </Group>
    </Radio.Group>
  )
}
