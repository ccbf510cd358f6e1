import type { KeyboardEvent } from 'react'

/**
 * On Enter, takes the marked option of an open list, or the first. The library does so only if it has marked one itself, and it forgets
 * the mark if the list has just opened or the options come later than the text: then Enter would submit the form without a choice.
 */
export function takeFirstMatch(event: KeyboardEvent<HTMLInputElement>) {
  const field = event.currentTarget
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '')
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || !list || field.value === '') return
  const find = (part: string) => list.querySelector<HTMLElement>(`[data-combobox-${part}]`)
  const option = find('selected') ?? (find('active') ? null : find('option'))
  if (option || !find('option')) event.preventDefault()
  option?.click()
}
