import { IconPlayerPlay } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { call } from '#web/api.ts'
import { sayFailure } from '#web/toast.tsx'
import type { Lead } from '../contract.ts'
import { recordings } from './contract.ts'
import classes from './Player.module.css'

const speeds = [1, 1.5, 2] as const
const kept = 'leadline.recording-speed'
const keptSpeed = () => speeds.find((speed) => String(speed) === localStorage.getItem(kept)) ?? 1

/** One recording plays at a time: the next one stops this. */
let playing: HTMLAudioElement | null = null

/** A call's recording: a button with its length, and once it is asked for, the player. */
export function Player({ lead }: { lead: Lead }) {
  const [source, setSource] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)

  async function play() {
    setAsking(true)
    try {
      setSource((await call(recordings.get, { params: { id: lead.id } })).url)
    } catch (problem) {
      sayFailure(problem)
    } finally {
      setAsking(false)
    }
  }
  if (source) return <Sound key={source} source={source} onStale={() => void play()} />
  return (
    <button
      type="button"
      className={classes.play}
      aria-label={`Play the recording, ${lead.duration_formatted ?? 'unknown length'}`}
      disabled={asking}
      onClick={() => void play()}
    >
      <IconPlayerPlay size={14} aria-hidden="true" />
      {lead.duration_formatted ?? 'Play'}
    </button>
  )
}

function Sound({ source, onStale }: { source: string; onStale: () => void }) {
  const audio = useRef<HTMLAudioElement>(null)
  const [speed, setSpeed] = useState<number>(keptSpeed)
  const [failed, setFailed] = useState(false)

  function choose(next: number) {
    localStorage.setItem(kept, String(next))
    setSpeed(next)
    if (audio.current) audio.current.playbackRate = next
  }
  function started(element: HTMLAudioElement) {
    if (playing !== element) playing?.pause()
    playing = element
    element.playbackRate = speed
  }
  if (failed)
    return (
      <p className={classes.failed}>
        The recording cannot be played right now.{' '}
        <button type="button" onClick={onStale}>
          Try again
        </button>
      </p>
    )
  return (
    <div className={classes.sound}>
      {/* biome-ignore lint/a11y/useMediaCaption: nobody has written down what was said. */}
      <audio
        ref={audio}
        controls
        autoPlay
        src={source}
        onPlay={(event) => started(event.currentTarget)}
        onError={() => setFailed(true)}
      />
      <fieldset className={classes.speeds}>
        <legend>Speed</legend>
        {speeds.map((one) => (
          <button key={one} type="button" aria-pressed={one === speed} onClick={() => choose(one)}>
            {one}x
          </button>
        ))}
      </fieldset>
    </div>
  )
}
