import type { ControlSet } from '#ui/form/control-set.ts'
import { webhookEventTitles, webhookEventTypes } from '../labels.ts'

export const webhookFields = ({ textControl, multiSelectControl }: ControlSet) => ({
  url: textControl('Address', { placeholder: 'https://' }),
  events: multiSelectControl(
    'Events',
    webhookEventTypes.map((value) => ({ value, label: webhookEventTitles[value] })),
  ),
})
