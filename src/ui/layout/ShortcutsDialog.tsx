import arrange from './arrange.module.css'
import { ModalDialog } from './ModalDialog.tsx'
import classes from './ShortcutsDialog.module.css'
import { type ShortcutList, useShortcutLists } from './shortcuts.ts'

const globalShortcuts: ShortcutList = {
  title: 'Everywhere',
  shortcuts: [
    { key: '↑ ↓', label: 'Move from row to row' },
    { key: '← →', label: 'Move from cell to cell, or from column head to column head' },
    { key: 'Enter', label: 'Open the row, go into a cell, or save a single line' },
    { key: 'Ctrl Enter', label: 'Save a form or a longer text' },
    { key: 'Esc', label: 'Close a dialog, undo what was typed, or leave a cell' },
    { key: 'Ctrl C', label: 'Copy the cell' },
    { key: 'Ctrl ← →', label: 'Move the column' },
    { key: 'Shift ← →', label: 'Make the column narrower or wider' },
    { key: '/', label: 'Search this list' },
    { key: 'Ctrl K', label: 'Find a screen, campaign, client, lead or site' },
    { key: '?', label: 'Show these shortcuts' },
  ],
}

/** Lists the shortcuts of the open screens, then those that work everywhere. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const lists = useShortcutLists()
  return (
    <ModalDialog opened onClose={onClose} title="Keyboard shortcuts" size="md">
      {[...lists, globalShortcuts].map(({ title, shortcuts }) => (
        <section key={title} className={classes.list} aria-label={`Keys: ${title}`}>
          <h3>{title}</h3>
          <dl className={arrange.ruled}>
            {shortcuts.map(({ key, label }) => (
              <div key={key}>
                <dt>
                  {key.split(' ').map((one) => (
                    <kbd key={one}>{one}</kbd>
                  ))}
                </dt>
                <dd>{label}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </ModalDialog>
  )
}
