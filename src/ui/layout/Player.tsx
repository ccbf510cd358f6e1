import { IconPlayerPlay } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { toastError } from '../feedback/toast.tsx'
import classes from './Player.module.css'

const playbackSpeeds = [1, 1.5, 2] as const
const playbackSpeedKey = 'leadline.recording-speed'
const readPlaybackSpeed = () =>
  playbackSpeeds.find((speed) => String(speed) === localStorage.getItem(playbackSpeedKey)) ?? 1

/** One recording plays at a time: the next one stops this. */
let playingAudio: HTMLAudioElement | null = null

/** What a key presses to play or pause the recording that stands inside of it. */
export function toggleRecording(element: HTMLElement) {
  const audio = element.querySelector('audio')
  if (!audio) element.querySelector<HTMLButtonElement>('button[data-plays]')?.click()
  else if (audio.paused) void audio.play()
  else audio.pause()
}

type RecordingPlayerProps = {
  /** How long it takes, as the button shows it. */
  length: string | null
  /** Asked whenever it is to be played: an address lives for some minutes only. */
  addressOf: () => Promise<string>
}

/** A call's recording: a button with its length, and once it is asked for, the player. */
export function RecordingPlayer({ length, addressOf }: RecordingPlayerProps) {
  const [source, setSource] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)

  async function play() {
    setAsking(true)
    try {
      setSource(await addressOf())
    } catch (problem) {
      toastError(problem)
    } finally {
      setAsking(false)
    }
  }
  if (source) return <RecordingAudio key={source} source={source} onStale={() => void play()} />
  return (
    <button
      type="button"
      data-plays
      className={classes.play}
      aria-label={`Play the recording, ${length ?? 'unknown length'}`}
      disabled={asking}
      onClick={() => void play()}
    >
      <IconPlayerPlay size={14} aria-hidden="true" />
      {length ?? 'Play'}
    </button>
  )
}

function RecordingAudio({ source, onStale }: { source: string; onStale: () => void }) {
  const audio = useRef<HTMLAudioElement>(null)
  const [speed, setSpeed] = useState<number>(readPlaybackSpeed)
  const [failed, setFailed] = useState(false)

  function choose(next: number) {
    localStorage.setItem(playbackSpeedKey, String(next))
    setSpeed(next)
    if (audio.current) audio.current.playbackRate = next
  }
  function started(element: HTMLAudioElement) {
    if (playingAudio !== element) playingAudio?.pause()
    playingAudio = element
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
        {playbackSpeeds.map((one) => (
          <button key={one} type="button" aria-pressed={one === speed} onClick={() => choose(one)}>
            {one}x
          </button>
        ))}
      </fieldset>
    </div>
  )
}
