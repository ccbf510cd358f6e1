export { MyTasks } from './MyTasks.tsx'
