import { type ComponentType, createContext } from 'react'

/** What is shown under a campaign's note that is being edited: leads before and after it. The app hands it in, because it is about leads. */
export const NoteEffectContext = createContext<ComponentType<{ itemId: number }>>(() => null)
