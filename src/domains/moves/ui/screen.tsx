import { useParams } from '@tanstack/react-router'
import { MoveDetails } from './MoveDetails.tsx'
import { MoveList } from './MoveList.tsx'

/** A new move and those so far, or one move. */
export default function MovesScreen() {
  const { id } = useParams({ strict: false }) as { id?: string } // of one of its two paths
  return id === undefined ? <MoveList /> : <MoveDetails key={id} id={id} />
}
