import { leadFields } from '../fields.ts'

/** The labels of these fields, separated by commas. */
export default function FieldLabels({ names }: { names: readonly string[] }) {
  const labels: Record<string, { label?: string }> = leadFields
  return names.map((name) => labels[name]?.label ?? name).join(', ')
}
