import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiErrors, Scope } from '../../core/http/index.js';
import { BackupDetailsView, BackupsView, presentBackup, presentBackups } from './backups.dto.js';
import { BackupsService } from './backups.service.js';

@Controller('api/server/backups')
@Scope('admin')
export class BackupsController {
  constructor(private readonly backups: BackupsService) {}

  /** Lists the backups in the server's data directory, the newest first. */
  @Get()
  async list(): Promise<BackupsView> {
    return presentBackups(await this.backups.list());
  }

  /**
   * Starts a backup in the server's data directory.
   *
   * @remarks Runs in the background, one at a time; the server goes on working. Only on SQLite.
   */
  @Post()
  @HttpCode(202)
  @ApiErrors('CONFLICT', 'BACKUP_NOT_SUPPORTED')
  async start(): Promise<BackupDetailsView> {
    return { backup: presentBackup(await this.backups.start()) };
  }

  /** Returns a backup: its progress while it runs, then its size or why it failed. */
  @Get(':name')
  @ApiErrors('BACKUP_NOT_FOUND')
  async read(@Param('name') name: string): Promise<BackupDetailsView> {
    return { backup: presentBackup(await this.backups.read(name)) };
  }

  /** Deletes a complete backup, or the record of a failed one. */
  @Delete(':name')
  @HttpCode(204)
  @ApiErrors('BACKUP_NOT_FOUND', 'CONFLICT')
  async delete(@Param('name') name: string): Promise<void> {
    await this.backups.delete(name);
  }
}
