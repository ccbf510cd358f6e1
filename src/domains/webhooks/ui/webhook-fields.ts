import { multiSelectControl, textControl } from '#ui/form/fields.tsx'
import { webhookEventTitles, webhookEventTypes } from '../labels.ts'

export const webhookFields = {
  url: textControl('Address', { placeholder: 'https://' }),
  events: multiSelectControl(
    'Events',
    webhookEventTypes.map((value) => ({ value, label: webhookEventTitles[value] })),
  ),
}
